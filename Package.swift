// swift-tools-version: 6.0
import PackageDescription

let upcoming: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A Debian library, seen through a module map; its flags come from pkg-config.
func library(_ name: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig)
}

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: upcoming)
}

func executable(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: upcoming)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: upcoming)
}

let package = Package(
    name: "pinpost",
    targets: [
        library("CCurl", pkgConfig: "libcurl"),
        library("CDe265", pkgConfig: "libde265"),
        library("CHeif", pkgConfig: "libheif"),
        library("CTurboJPEG", pkgConfig: "libturbojpeg"),
        library("CPNG", pkgConfig: "libpng"),
        library("CWebP", pkgConfig: "libwebpdemux"),
        library("CTIFF", pkgConfig: "libtiff-4"),
        library("CJXL", pkgConfig: "libjxl"),
        library("CLCMS", pkgConfig: "lcms2"),
        library("CPango", pkgConfig: "pangocairo"),
        library("CFontconfig", pkgConfig: "fontconfig"),
        library("CXML", pkgConfig: "libxml-2.0"),
        library("CSeccomp", pkgConfig: "libseccomp"),
        library("COpenSSL", pkgConfig: "libcrypto"),
        library("CSSL", pkgConfig: "libssl"),
        library("CSQLite", pkgConfig: "sqlite3"),
        library("CMicrohttpd", pkgConfig: "libmicrohttpd"),
        library("CLinux"),
        library("CVectors"),

        module("PinpostCore"),
        module("Cryptography", ["PinpostCore", "COpenSSL"]),
        module("CurlKit", ["PinpostCore", "CCurl", "CLinux"]),
        module("Mail", ["PinpostCore", "Cryptography", "CurlKit", "CLinux", "CVectors"]),
        module("Hooks", ["PinpostCore", "Cryptography", "CLinux"]),
        module("Links", ["PinpostCore"]),
        module("DecoderProtocol"),
        module("Media", ["PinpostCore", "DecoderProtocol", "CLinux"]),
        module("Decoding", ["DecoderProtocol", "CDe265", "CTurboJPEG", "CPNG", "CWebP", "CXML", "CSeccomp", "CLinux"]),
        module(
            "DecodingFull",
            [
                "Decoding", "DecoderProtocol", "CHeif", "CTIFF", "CJXL", "CLCMS", "CTurboJPEG", "CPango", "CFontconfig",
            ]),
        module("PinryClient", ["PinpostCore", "CurlKit"]),
        module("StoreSQLite", ["PinpostCore", "Cryptography", "CSQLite", "CLinux"]),
        module("Administration", ["PinpostCore", "Cryptography"]),
        module("Web", ["PinpostCore", "Cryptography", "Hooks", "CMicrohttpd"]),
        module(
            "PinpostApp",
            [
                "PinpostCore", "Cryptography", "CurlKit", "Mail", "Hooks", "Links", "Media", "PinryClient",
                "StoreSQLite", "Administration", "Web", "CLinux",
            ]),
        module("PinpostTesting", ["PinpostCore", "COpenSSL", "CSSL"]),

        executable("pinpost", ["PinpostApp"]),
        executable("pinpost-decoder", ["Decoding"]),
        executable("pinpost-decoder-full", ["DecodingFull", "Decoding", "DecoderProtocol"]),
        executable("pinry-double", ["PinpostTesting"]),
        .executableTarget(
            name: "bench-mime", dependencies: ["Mail", "PinpostCore"], path: "Benchmarks/mime",
            swiftSettings: upcoming),
        .executableTarget(
            name: "bench-http", dependencies: ["CurlKit", "PinpostCore"], path: "Benchmarks/http",
            swiftSettings: upcoming),

        tests("PinpostCoreTests", ["PinpostCore"]),
        tests(
            "PinpostAppTests",
            [
                "PinpostApp", "Administration", "PinpostCore", "Cryptography", "CurlKit", "Media", "PinryClient",
                "StoreSQLite", "PinpostTesting", "Web",
            ]),
        tests("MailTests", ["Mail", "PinpostCore", "Cryptography", "CurlKit", "PinpostTesting"]),
        tests("AdministrationTests", ["Administration", "PinpostCore", "Cryptography", "StoreSQLite"]),
        tests("CryptographyTests", ["Cryptography", "PinpostCore", "PinpostTesting"]),
        tests("StoreBehaviourTests", ["StoreSQLite", "Cryptography", "PinpostCore", "PinpostTesting"]),
        .executableTarget(
            name: "store-victim", dependencies: ["StoreSQLite", "Cryptography", "PinpostCore"],
            path: "Tests/StoreVictim", swiftSettings: upcoming),
        tests(
            "StoreSQLiteTests",
            ["StoreSQLite", "Cryptography", "PinpostCore", "PinpostTesting", "CLinux", "store-victim"]),
        tests("CurlKitTests", ["PinpostCore", "CurlKit", "PinpostTesting"]),
        tests("PinpostTestingTests", ["PinpostCore", "CurlKit", "PinpostTesting"]),
        tests(
            "IntegrationTests",
            [
                "PinpostCore", "Cryptography", "CurlKit", "Mail", "PinryClient", "StoreSQLite", "PinpostTesting",
                "Hooks", "Web", "Media", "pinpost-decoder",
            ]),
        tests("PinryClientTests", ["PinpostCore", "PinryClient", "CurlKit", "PinpostTesting"]),
        tests("DecodingTests", ["DecoderProtocol", "Decoding"]),
        tests(
            "MediaTests",
            [
                "PinpostCore", "DecoderProtocol", "Decoding", "Media", "CTurboJPEG", "pinpost-decoder",
                "pinpost-decoder-full",
            ]),
        tests(
            "LinksTests",
            ["Links", "PinpostCore", "CurlKit", "Media", "PinpostTesting", "Cryptography", "pinpost-decoder"]),
        tests("HooksTests", ["PinpostCore", "Hooks", "Cryptography", "PinpostTesting"]),
        tests("WebTests", ["PinpostCore", "Cryptography", "Hooks", "StoreSQLite", "Web", "PinpostTesting"]),
    ],
    swiftLanguageModes: [.v6]
)

// libFuzzer has to see every module, so these exist for script/fuzz alone.
if Context.environment["PINPOST_FUZZ"] != nil {
    package.targets += [
        .systemLibrary(name: "CFuzzer", path: "Fuzz/CFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CFuzzer", "CurlKit", "DecoderProtocol", "Hooks", "Mail", "Media", "PinpostCore", "PinpostTesting",
            ],
            path: "Fuzz", exclude: ["CFuzzer", "Corpus", "Words"], swiftSettings: upcoming),
    ]
}
