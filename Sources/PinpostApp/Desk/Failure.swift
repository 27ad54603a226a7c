import Administration
import Hooks
import Mail
import PinpostCore

/// Why a command failed, in the form that travels from the daemon to the command line.
struct Failure: Error, Hashable, Codable, CustomStringConvertible {
    /// For scripts: one lower-case word, stable.
    let code: String
    /// One sentence with cause and remedy.
    let detail: String
    let exit: ExitCode

    init(_ code: String, _ detail: String, exit: ExitCode) {
        self.code = code
        self.detail = detail
        self.exit = exit
    }

    var description: String { detail }
}

extension Failure {
    /// Finds the exit code of any error that a command may throw.
    init(_ error: any Error) {
        switch error {
        case let error as Failure: self = error
        case let error as UsageError: self.init("usage", error.description, exit: .usage)
        case let error as ConfigurationProblems: self.init("configuration", error.description, exit: .configuration)
        case let error as AdministrationError: self.init(administration: error)
        case let error as StoreError: self.init(store: error)
        case let error as VaultError: self.init(vault: error)
        case let error as PinryError: self.init(pinry: error)
        case let error as IMAPError: self.init(imap: error)
        case let error as ProviderError:
            self.init(
                "provider_" + error.code.rawValue.snakeCased, error.detail,
                exit: error.code == .unavailable ? .tryLater : .refused)
        case let error as MediaError:
            self.init(
                error.code.rawValue.snakeCased, error.description, exit: error.isTransient ? .tryLater : .wrongData)
        case let error as ReadingError:
            self.init(
                error.code.rawValue, error.detail, exit: error.code == .unavailable ? .tryLater : .wrongData)
        default: self.init("failed", String(describing: error), exit: .refused)
        }
    }

    private init(administration error: AdministrationError) {
        switch error {
        case .badValue(let sentence): self.init("bad_value", sentence, exit: .usage)
        case .unknown(let sentence): self.init("unknown", sentence, exit: .refused)
        case .taken(let sentence): self.init("taken", sentence, exit: .refused)
        case .refused(let sentence): self.init("refused", sentence, exit: .refused)
        case .pinry(let error): self.init(pinry: error)
        case .store(let error): self.init(store: error)
        case .vault(let error): self.init(vault: error)
        }
    }

    private init(store error: StoreError) {
        let exit: ExitCode =
            switch error.code {
            case .diskFull, .failing, .locked, .unavailable, .leaseLost: .tryLater
            case .unusable: .notAllowed
            case .newerSchema, .corrupt: .configuration
            case .notFound, .conflict, .refused: .refused
            }
        self.init(error.code.rawValue.snakeCased, error.description, exit: exit)
    }

    private init(imap error: IMAPError) {
        let exit: ExitCode =
            switch error.code {
            case .loginRefused, .notAuthorized: .notAllowed
            case .untrusted, .wrongEncryption, .broken, .refused: .wrongData
            case .unreachable, .busy, .closed, .timedOut: .unavailable
            case .cancelled, .storeFailed, .localFailure: .tryLater
            }
        self.init(error.code.rawValue.snakeCased, error.description, exit: exit)
    }

    private init(vault error: VaultError) {
        self.init(error.code.rawValue.snakeCased, error.description, exit: .configuration)
    }

    private init(pinry error: PinryError) {
        let exit: ExitCode =
            switch error.code {
            case .tokenMissing, .tokenRejected, .forbidden: .notAllowed
            case .missingScheme: .usage
            case .authorizationEaten, .publicSwitchedOff, .notPinry, .wrongBase, .redirected, .tlsUntrusted,
                .addressRefused, .boardMissing, .boardForeign, .imageRejected, .imageTooLarge, .pinRejected,
                .imageGone:
                .wrongData
            case .rateLimited, .serverFailed, .unreachable, .answerLost: .unavailable
            }
        self.init(error.code.rawValue.snakeCased, error.description, exit: exit)
    }
}

extension String {
    /// `diskFull` → `disk_full`.
    var snakeCased: String {
        reduce(into: "") { text, character in
            if character.isUppercase { text += "_" }
            text += character.lowercased()
        }
    }
}
