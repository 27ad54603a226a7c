import PinpostCore
import Testing

@testable import PinpostApp

@Suite("The Dockerfile")
struct DockerfileTests {
    private func lines(of file: String) throws -> [Substring] {
        let package = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let bytes = try ReadFile.bytes(of: "/\(package)/\(file)", limit: 1 << 20)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    @Test("copies every folder that the manifest names, and the build may see each: without one nothing is built")
    func folders() throws {
        let named = try lines(of: "Package.swift").prefix { !$0.contains("PINPOST_FUZZ") }.compactMap { line in
            line.firstRange(of: "path: \"").map { line[$0.upperBound...].prefix { $0 != "/" } }
        }
        let copied = try lines(of: "Dockerfile").filter { $0.hasPrefix("COPY ") }.flatMap { $0.split(separator: " ") }
        let seen = try lines(of: ".dockerignore").filter { $0.hasPrefix("!") }.map { $0.dropFirst() }
        #expect(Set(named).isSuperset(of: ["Sources", "Tests"]))
        #expect(Set(named).subtracting(copied) == [] && Set(named).subtracting(seen) == [])
    }
}
