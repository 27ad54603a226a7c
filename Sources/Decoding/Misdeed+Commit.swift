#if DEBUG
    import DecoderProtocol
    import Glibc

    extension Misdeed {
        /// Does what the sandbox, the limits or the daemon must stop; whatever survives is reported as a failure.
        func commit(_ output: OutputFile) throws(Failure) {
            switch self {
            case .openFile: try report(open("/etc/hostname", O_RDONLY))
            case .openSocket: try report(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
            case .startProcess: try startProcess()
            case .allocateEverything: try allocate()
            case .writeTooMuch: try writeTooMuch(to: output)
            case .crash: UnsafeMutablePointer<UInt8>(bitPattern: 8)?.pointee = 1
            case .spin: while true { spins &+= 1 }
            case .exitSilently: exit(0)
            }
        }

        private func report(_ result: Int32) throws(Failure) {
            throw Failure(.internalFault, "survived \(self) with \(result)")
        }

        private func startProcess() throws(Failure) {
            var child: pid_t = 0
            try report(posix_spawn(&child, "/bin/true", nil, nil, [nil], [nil]))
        }

        private func allocate() throws(Failure) {
            while malloc(16 << 20) != nil {}
            throw Failure(.tooLarge, "memory came to its end")
        }

        private func writeTooMuch(to output: OutputFile) throws(Failure) {
            let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 65 << 20, alignment: 1)
            block.initializeMemory(as: UInt8.self, repeating: 1)
            try output.write(UnsafeRawBufferPointer(block))
            throw Failure(.internalFault, "wrote everything")
        }
    }

    nonisolated(unsafe) private var spins = 0  // only so that the loop has an effect
#endif
