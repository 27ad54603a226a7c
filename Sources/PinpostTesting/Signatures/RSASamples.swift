/// A key of RSA that was made for these tests, and what it signed.
public enum RSASamples {
    /// Of the key, made by itself; good from 30 November 2026 for twenty years.
    public static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIDGTCCAgGgAwIBAgIUBj4BJoRZ1FlZWzsCuq7ysLGQstgwDQYJKoZIhvcNAQEL
        BQAwHDEaMBgGA1UEAwwRc25zLmFtYXpvbmF3cy5jb20wHhcNMjYxMTMwMTQxMTQ5
        WhcNNDYxMTI1MTQxMTQ5WjAcMRowGAYDVQQDDBFzbnMuYW1hem9uYXdzLmNvbTCC
        ASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBALOU2u59Dz9twlzO9yJkkPvM
        XSpvTXt3j8kxX6wQcmK10QF9hBpVsxk0+JSLcNnm/DH6pcOW7KwEl1th5yHGgY5O
        1inC2YXuPODLaP5AaO9w1s5stFAsLimfgLQmQV/tdggPlL4BYvH9WTxtUC6h4vEn
        djauI8fyv+nGrhUgCcib6xdNbhpjjCUdI/pBVPD3vYtJKPoISJeEHQdi2qXZ2P2w
        ddZrqQc9erlIziP4CBb6JyNVMl0/mTYxo3L4KhyJ3nb1Afnzlh6+4RXaC4nCqbkd
        Fvh14dbf0QFOBGvZNh3tRx+YbaE0PLGwbOaiGwIGYAaV0UlT7mzMH6B7Sq/eXLMC
        AwEAAaNTMFEwHQYDVR0OBBYEFA1HuTAHj9JAUb2HAlnbeyENwZhgMB8GA1UdIwQY
        MBaAFA1HuTAHj9JAUb2HAlnbeyENwZhgMA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZI
        hvcNAQELBQADggEBAEAIcj/BOjJqlbA3YOj07NxqaoeEtQYcLJXKPblAlI2R1zHL
        aFo9CtnDY5nMI1TOQAYkx388WMLJWZV97H/9Loyjr8NSJTE/lzV0h5wXgKhTlxw4
        3E8ExAfGcdrDLonm3RJHXou50SgAxq2vGfvKwcsNXJouVKOh39p80nTXqvOTKVT6
        LRvyRxLR4uT8YLV2vl/5cDdcWxUi8f6LJAa5YI/g2SIyT1Y0Mav/riOST4Q3kyaG
        Z0ZEsnAsG9v48ms0xDPDpPt1XaHaSzKW8wPbPbH4Y5cpHfY8tWe1He6h8xxjWpir
        dqo+719orrl+TyibpQtfEL7YfSJWVY3W/dMHzB4=
        -----END CERTIFICATE-----
        """
    /// Base64 of `SubjectPublicKeyInfo`.
    public static let publicKey = """
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAs5Ta7n0PP23CXM73ImSQ+8xdKm9Ne3ePyTFfrBByYrXRAX2EGlWzGTT4\
        lItw2eb8Mfqlw5bsrASXW2HnIcaBjk7WKcLZhe484Mto/kBo73DWzmy0UCwuKZ+AtCZBX+12CA+UvgFi8f1ZPG1QLqHi8Sd2Nq4j\
        x/K/6cauFSAJyJvrF01uGmOMJR0j+kFU8Pe9i0ko+ghIl4QdB2LapdnY/bB11mupBz16uUjOI/gIFvonI1UyXT+ZNjGjcvgqHIne\
        dvUB+fOWHr7hFdoLicKpuR0W+HXh1t/RAU4Ea9k2He1HH5htoTQ8sbBs5qIbAgZgBpXRSVPubMwfoHtKr95cswIDAQAB
        """
    /// SHA-1 over the fields of a notification without subject.
    public static let notification = """
        ONk8SvWK3TsJpmqFgBY98q2UhrZmrH/TROaH8Zr7N4qvuvO/LiR4fZluWCQfM5B8QiaevIC/R8tKyyJjOY8mu/K8+nI6ukWQCic6\
        HRfHpRjtItQ22yY/mvJPD9TzQrY3FEbGauPSSRpKbjSyZM3K3GhZ5lMdLSe8GbuHl+99km8DPROJayJvyhmZjo3YRWd5AvKGTy14\
        ClFkBh7YanUiImE0u9gohnaL9TrgOtUtZ9Npocm8aefbCrRk66xKpAGubu+xGajRJVZFFNw9eMwMEzA4rHwUk2BCVv6EfEmZcH4M\
        hs5egvs2FJ0ty0ARSaZx3RhVrSyd+V4bYJSY/q9HWw==
        """
    /// SHA-256 over the same with the subject `S`.
    public static let notificationWithSubject = """
        AMbiWJSuqqnyBL9G+VH2vySnj0lZFQqwncPk0suPySG7sRgPqNMXmLRrOLeZcolzcNLyS9VI9tUMlMqFwgrv9GgIO9Vu9YTBr4gG\
        qA/pnbCEb4e693wAbvb9VgpIq4+Ae7FAwZfzVm10+so9WXYWe8ZfwESvJ07wks7RkE6p1YHRLMTZ9T6jPNwkIM9aQ9zza4FBo9yt\
        RcjlS0kbHpBt3Qs6uiC8qW3oPdczKy2erDNuDD8OfSMjSrR5wAV/Or3kV5ZmO9BtS8i2rjFeE9/jLA5a34wNz7PGf/5lLRkVHLPd\
        VP+ewpmXmQVuFxbYj3DRoiUetNnVlyTrNm7S10PEwQ==
        """
    /// SHA-256 over the fields of a subscription.
    public static let confirmation = """
        E2KUznB01CYaH6AMp7lVomJHKutp9Xrc/xEXbuFolgvrTxc/sLsrEjYOZA952Ea7gz3Lz8dkzwcjgtdl/rQEtsZrxBOMWms2x/WW\
        ZNS32+CS8fhvB7FCdQ00c6w83rMcXqyl9rwUGM7WNTOTzX8dnmXtmF/oMNk5DP6RQjSuTRWSjkuWVu+XI+OXvUdqoe+tfgW9EBUx\
        7vD1ltwmL3T6nYH6W+iOfbVL+UVl1bwbZmIWwu0rh0UNC97fHoXsC0VI6+m8yJ+XZ2mRDm2BC87LV7W0ORyeYKBxidLpS7Fs3JU9\
        DEB1Jogwq1nEwA7dwviMt8DNSI+LfSGAgPUg4yVKPg==
        """
    /// SHA-256 over `{"id":7}`.
    public static let body = """
        d2E/3ScgfuY20kPQ2XOc5vwUgiVrqlG8QqiJckfKdOJRrfyNbV36oFK7uFdkYjHgtEny9fOHq6jaRzUli4UmT3XGAIEKXOStOpbM\
        crshWRm7ji6IREHUxj07whvJaP6q+PGXJ2PN5TLUg+p+pSinzmjGVta6mH1uk1h4ludb7JpYCEEYagagQBRY5ZRQTg4KHPiGOxC7\
        hnuHcuO7bN9V45fa8KyjyZnEtF8p8+vYtNORSVkY0uOjfvO/Cxurhv551LRvIoLL7h+UeDj70gZGU2cUTrEAS/V+qMIdbWupKoyg\
        qmQPBXkk22J/4a8IjVDXqtlINY+NzlNJ2lruiZom5g==
        """
    /// SHA-1 over the same.
    public static let olderBody = """
        OcugP3Ra72pBAyQzikfESsWbPSLRLYQyVdwJ4G2Kzhy+RHFZ7ym8aX08P6LClHCdGSo30z4y0fjIW6K8sKwmZ7vTIm2AhiXZZ+3i\
        zMEIiPI/L4xbpHoCo4rH3BDw9etnfYCxWe1mnChzxGLXpBZ1G0+LRwiSfgy5HE5aUC/qQVmrQDogPANE3MyuGW19F3H0vxCVsEx7\
        BrxPK03NVZy9YRdrHOgVwBH9qxPGowJEAuKUkf9p0tWtHP2M4Y7sLCjzKOcuB+NY4LAT3U7bx8xuET51NpxrvTHfvEhGCrbEzYlZ\
        f+adEepzGVWS3iuUuxAMEVKgPAv1JJoqRRlneU7HMg==
        """
    /// SHA-1 over `sample`.
    public static let sampleSHA1 = """
        pKpLd1thm7hWwcV75Vde1Q+l35Z3rnIWM2UuFckhW07uY/mrT0QNwyZ6hkleAjEIc2yNEBCEvh+Vrv4HIUXerHIR5EHTfvfnPPIF\
        Q+li1U05MhP3sSbZFI69gUiCbERtoTdUOs4sy6GRWPoyy7QhtHlszXCPYI23xqP9pr7W8lEYUKF8KpIjh+z5oUObSmLEmZvE6KoH\
        6+3Gcri6j2XiV9L+sC9Er1ZxvCzfL2dS6gSis6vN4yCzAdsr0G3R8qAEy4jUiTY5PDalZkOTejLrJ7KtMskVI2qv9wvAR+zKSxO7\
        ATK5AkntiYfStbPGJOMlNVM3EAU1LnOqOtSDbqEA9Q==
        """
    /// SHA-256 over `sample`.
    public static let sampleSHA256 = """
        cvljVlkix+aeyUt5MRfKAW7YEUJ6b1O5h1ufgbDD4sKu5jePK/wS/mwzWvw9PDalD2DBlutHgra2sOQ+yTFYHuNiyxQTwRzLtdS4\
        AreTjZna+TyWYAlhtaZxEQt09K97OU1bMnXMSCbLjOCrOJC+7ELOddFb8sH53hjtj09TwjJfrPcZqL3Iw14iQJxJU4nWlQKRiQ4F\
        kWTnh0et9zZpeMJNev+e/z2li+xyQEJwveyFr+POiHi5S897o97MSbCASDpY5QSFsBKkS2mmxhCZw5FZMJ0Ny9udjmdM366KeGlb\
        PFdYXISDxkIkhHphmKz5qS7SX0zgF7gsSVKcDHCEQw==
        """
}
