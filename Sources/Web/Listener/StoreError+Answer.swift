internal import PinpostCore

extension Problem {
    /// What a sender hears when the store cannot take a message: nothing was stored, he may try again.
    init(_ error: StoreError) {
        switch error.code {
        case .diskFull: self.init(507, "There is no room to store this now. Nothing was stored; try again later.")
        default: self.init(503, "This cannot be stored now. Nothing was stored; try again later.")
        }
    }
}

extension StoreError {
    var retryFields: [HTTPAnswer.Field] { [HTTPAnswer.Field("Retry-After", code == .diskFull ? "60" : "5")] }
}
