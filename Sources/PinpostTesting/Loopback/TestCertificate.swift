/// A self-signed certificate with its key, made by the `openssl` command; the files go with the object.
final class TestCertificate: Sendable {
    private let folder: TestFolder
    let pem: String
    /// `sha256//` and the base64 SHA-256 digest of the public key.
    let publicKeyPin: String

    var keyPath: String { "\(folder.path)/key.pem" }
    var path: String { "\(folder.path)/certificate.pem" }

    /// `name` is the subject's alternative name.
    init(name: String = "IP:127.0.0.1") throws(LoopbackError) {
        folder = try TestFolder("certificate")
        let certificate = "\(folder.path)/certificate.pem"
        let maker = try ChildProcess(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=Pinpost test", "-addext", "subjectAltName=\(name)", "-keyout", "\(folder.path)/key.pem",
                "-out", certificate,
            ])
        guard maker.wait() == 0 else { throw LoopbackError("no certificate was made") }
        pem = TestFolder.text(of: certificate)
        let pin = "\(folder.path)/pin"
        let digest = try ChildProcess(
            "/bin/sh",
            [
                "-c",
                "openssl x509 -in \(certificate) -noout -pubkey | openssl pkey -pubin -outform der"
                    + " | openssl dgst -sha256 -binary | openssl base64 > \(pin)",
            ])
        guard digest.wait() == 0 else { throw LoopbackError("no digest was made") }
        publicKeyPin = "sha256//" + TestFolder.text(of: pin).filter { !$0.isWhitespace }
    }
}
