import Testing

@testable import PinpostApp

@Suite("Program code that only a start needs")
struct StartPagesTests {
    @Test("only what is executed from files is given back, and the process goes on")
    func ranges() {
        let maps = """
            5571a000-5571b000 r--p 00000000 fe:00 1 /usr/bin/pinpost
            5571b000-55723000 r-xp 00001000 fe:00 1 /usr/bin/pinpost
            55723000-55724000 rw-p 00009000 fe:00 1 /usr/bin/pinpost
            7f000000-7f001000 r-xp 00000000 00:00 0 
            7f001000-7f002000 r-xp 00000000 fe:00 2 /usr/lib/lib with a blank.so
            7ffe0000-7ffe2000 r-xp 00000000 00:00 0 [vdso]
            nonsense
            """
        #expect(StartPages.codeRanges(of: maps) == [0x5571b000..<0x55723000, 0x7f001000..<0x7f002000])
        StartPages.giveBack()
        #expect(StartPages.codeRanges(of: maps).count == 2)
    }
}
