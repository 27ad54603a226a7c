import DecoderProtocol
import FoundationEssentials
import Glibc
import PinpostCore
import Testing

@testable import Media

@Suite("Without seccomp", .timeLimit(.minutes(10)))
struct FailClosedTests {
    /// Starts the real decoder on a kernel that seems to have no seccomp filters.
    private static let wrapper = """
        #!/usr/bin/python3
        import ctypes, os, sys
        library = ctypes.CDLL("libseccomp.so.2")
        library.seccomp_init.restype = ctypes.c_void_p
        refuse = 0x00050000 | 1
        context = ctypes.c_void_p(library.seccomp_init(0x7FFF0000))
        seccomp = library.seccomp_syscall_resolve_name(b"seccomp")
        prctl = library.seccomp_syscall_resolve_name(b"prctl")
        class Comparison(ctypes.Structure):
            _fields_ = [("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]
        sets_filter = Comparison(0, 4, 22, 0)  # PR_SET_SECCOMP
        library.seccomp_rule_add_array(context, refuse, seccomp, 0, None)
        library.seccomp_rule_add_array(context, refuse, prctl, 1, ctypes.byref(sets_filter))
        assert library.seccomp_load(context) == 0
        os.execv("DECODER", ["DECODER"] + sys.argv[1:])
        """

    @Test("a decoder that cannot close its sandbox reads nothing")
    func failClosed() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinpost-\(UUID())").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let executables = DecoderExecutables(folder: folder)
        let script = Self.wrapper.split(separator: "DECODER", omittingEmptySubsequences: false)
            .joined(separator: Workshop.executables.path(for: .fast))
        try Data(script.utf8).write(to: URL(filePath: executables.path(for: .fast)))
        #expect(chmod(executables.path(for: .fast), 0o755) == 0)

        let bytes = try Workshop.fixture("corners.jpg")
        let error = await #expect(throws: MediaError.self) {
            try await DecoderPool(executables).perform(.check(.jpeg), on: bytes[...])
        }
        #expect(error?.code == .unavailable)
        #expect(error?.detail.contains("safely") == true, "\(String(describing: error))")
    }
}
