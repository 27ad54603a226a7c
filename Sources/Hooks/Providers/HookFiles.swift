public import PinpostCore

/// Fetches the files of chats with the credentials of the hook by which they came.
public struct HookFiles: ProviderFiles {
    private let desk: ProviderDesk
    private let directory: any TenantDirectory
    private let limit: Int

    /// Provider, file, bytes: no provider needs more calls.
    private static let mostCalls = 4

    /// Makes a fetcher of files up to `limit` bytes.
    public init(desk: ProviderDesk, directory: any TenantDirectory, limit: Int = HookLimits().picture) {
        self.desk = desk
        self.directory = directory
        self.limit = limit
    }

    public func file(_ media: MediaReference, of tenant: Tenant.ID) async throws(LinkError) -> StoredBytes {
        let hook = try await hook(media.hook, of: tenant)
        guard let provider = Providers.named(hook.provider) else {
            throw LinkError(.refused, "This Pinpost does not know the provider \(hook.provider).")
        }
        let access: ProviderAccess
        do throws(VaultError) { access = try desk.access(to: hook) } catch {
            throw LinkError(.refused, error.description)
        }
        do throws(ProviderError) {
            return try await store(try await bytes(of: media, from: provider, access))
        } catch {
            throw LinkError(error.code == .unavailable ? .failed : .refused, error.detail)
        }
    }

    private func hook(_ id: Hook.ID, of tenant: Tenant.ID) async throws(LinkError) -> Hook {
        let hook: Hook?
        do throws(StoreError) { hook = try await directory.hook(id) } catch {
            throw LinkError(.unavailable, "The hook cannot be looked up now.")
        }
        guard let hook, hook.tenant == tenant else {
            throw LinkError(.refused, "The hook by which the file came is gone.")
        }
        return hook
    }

    private func bytes(
        of media: MediaReference, from provider: any Provider, _ access: ProviderAccess
    ) async throws(ProviderError) -> [UInt8] {
        var answers: [HTTPResponse] = []
        while answers.count <= Self.mostCalls {
            guard case .call(var call) = try provider.fetch(media, with: access, after: answers) else { break }
            call.request.responseLimit = max(call.request.responseLimit, limit)
            var response = try await desk.send(call)
            if call.mayLeadElsewhere, let next = Self.elsewhere(response, limit: call.request.responseLimit) {
                response = try await desk.send(next)
            }
            try Self.check(response)
            answers.append(response)
        }
        guard let bytes = answers.last?.body, !bytes.isEmpty else {
            throw ProviderError(.refused, "The provider gave an empty file.")
        }
        return bytes
    }

    /// nil where the answer leads nowhere else.
    private static func elsewhere(_ response: HTTPResponse, limit: Int) -> ProviderCall? {
        guard (300..<400).contains(response.status), let place = response.header("location"),
            let url = WebLink.checked(place)
        else { return nil }
        return ProviderCall(HTTPRequest(url: url, responseLimit: limit), as: .message)
    }

    private static func check(_ response: HTTPResponse) throws(ProviderError) {
        switch response.status {
        case 200..<300: return
        case 401, 403: throw ProviderError(.refused, "The provider does not let this hook fetch the file.")
        case 404, 410: throw ProviderError(.refused, "The file is gone from the provider.")
        case 408, 425, 429, 500...: throw ProviderError(.unavailable, "The provider answered \(response.status).")
        default: throw ProviderError(.refused, "The provider answered \(response.status) for the file.")
        }
    }

    private func store(_ bytes: [UInt8]) async throws(ProviderError) -> StoredBytes {
        do throws(StoreError) {
            return try await desk.pool.run { [blobs = desk.blobs] () throws(StoreError) in try blobs.store(bytes) }
        } catch {
            throw ProviderError(.unavailable, "The file cannot be stored now.")
        }
    }
}
