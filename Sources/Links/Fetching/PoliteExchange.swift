public import PinpostCore
import Synchronization

/// Fetches links of messages with manners: a few requests a second to one host, one flight for each address, and no
/// second knock at a door that was shut a moment ago.
///
/// Calls of the other classes pass through: Pinry and the providers have rules of their own.
public final class PoliteExchange: HTTPExchange {
    private let http: any HTTPExchange
    private let manners: Manners
    private let ledger: HostLedger
    private let flights = Flights()
    private let missing = Mutex<[String: (answer: HTTPResponse, until: ContinuousClock.Instant)]>([:])

    public init(_ http: any HTTPExchange, manners: Manners = Manners()) {
        self.http = http
        self.manners = manners
        ledger = HostLedger(manners)
    }

    public func send(
        _ request: HTTPRequest, as egress: EgressClass
    ) async throws(HTTPExchangeError) -> HTTPResponse {
        guard case .message = egress, request.method == "GET", let address = WebAddress(request.url) else {
            return try await http.send(request, as: egress)
        }
        let deadline = ContinuousClock.now + request.timeout
        let key = (["\(request.redirectLimit) \(request.url)"] + request.headers.map { "\($0.name): \($0.value)" })
            .joined(separator: "\n")
        if let answer = knownMissing(key) { return answer }
        let outcome = await flights.run(key, until: deadline) {
            do throws(HTTPExchangeError) {
                return .success(try await self.exchange(request, with: address, until: deadline))
            } catch {
                return .failure(error)
            }
        }
        let answer = try outcome.get()
        if [404, 410, 451].contains(answer.status) { remember(answer, for: key) }
        return answer
    }

    private func exchange(
        _ request: HTTPRequest, with address: WebAddress, until deadline: ContinuousClock.Instant
    ) async throws(HTTPExchangeError) -> HTTPResponse {
        try await admit(to: address)
        let start = ContinuousClock.now
        var request = request
        request.timeout = max(deadline - start, .zero)
        let visit = HostLedger.Visit(address: address, start: start, time: request.timeout)
        do throws(HTTPExchangeError) {
            let answer = try await http.send(request, as: .message)
            ledger.leave(visit, after: nil, now: .now)
            return answer
        } catch {
            ledger.leave(visit, after: error, now: .now)
            throw error
        }
    }

    private func admit(to address: WebAddress) async throws(HTTPExchangeError) {
        let deadline = ContinuousClock.now + manners.patience
        while true {
            switch ledger.admit(address, now: .now) {
            case .go: return
            case .failed(let error): throw error
            case .wait(let delay):
                guard ContinuousClock.now + delay <= deadline else {
                    throw HTTPExchangeError(.busy, "\(address.host) was asked enough for the moment")
                }
                guard (try? await Task.sleep(for: delay)) != nil else { throw HTTPExchangeError(.cancelled) }
            }
        }
    }

    private func knownMissing(_ key: String) -> HTTPResponse? {
        missing.withLock { missing in
            guard let known = missing[key] else { return nil }
            if known.until > .now { return known.answer }
            missing[key] = nil
            return nil
        }
    }

    private func remember(_ answer: HTTPResponse, for key: String) {
        let bare = HTTPResponse(
            status: answer.status, headers: [], body: [], url: answer.url, redirects: answer.redirects)
        missing.withLock { missing in
            if missing.count >= manners.rememberedPages { missing = missing.filter { $0.value.until > .now } }
            guard missing.count < manners.rememberedPages else { return }
            missing[key] = (bare, .now + manners.memory)
        }
    }
}
