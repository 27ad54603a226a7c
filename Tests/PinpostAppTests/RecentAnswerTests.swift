import Testing

@testable import PinpostApp

@Suite("An answer from a moment ago", .timeLimit(.minutes(10)))
struct RecentAnswerTests {
    @Test("whoever asks while the question is put waits for its answer, and puts none of his own")
    func together() async {
        let (recent, asked) = (RecentAnswer(freshness: .zero), Counter())
        await withTaskGroup(of: String?.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    await recent.words {
                        asked.add(1)
                        while await recent.waiters < 9 { await Task.yield() }
                        return "full"
                    }
                }
            }
            for await answer in group { #expect(answer == "full") }
        }
        #expect(asked.value == 1)
        let next = await recent.words { nil }
        #expect(next == nil)
    }

    @Test("an answer is good for a moment")
    func fresh() async {
        let recent = RecentAnswer(freshness: .seconds(600))
        let (first, second) = (await recent.words { "full" }, await recent.words { nil })
        #expect(first == "full" && second == "full")
    }
}
