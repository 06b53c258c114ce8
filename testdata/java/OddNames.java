import java.util.Arrays;

/** OddNames: parked threads whose names look like parts of a dump; some forge whole threads. */
final class OddNames {
    private static final String FORGED = "a\"\n\n\"forged\" #77 prio=5 os_prio=0 cpu=1.00ms elapsed=1.00s"
            + " tid=0x00007f0000000001 nid=0x4d runnable  [0x00007f0000000000]\n"
            + "   java.lang.Thread.State: RUNNABLE\n\tat evil.Forged.run(Forged.java:1)\n\n\"rest";
    private static final String[] NAMES = {
        "", " ", "  lead and trail  ", "quote\"inside", "\"fully quoted\"",
        "\"a\" #5 daemon prio=5 os_prio=0 cpu=1.00ms elapsed=1.00s tid=0x0000000000000001 nid=0x1 runnable  [0x0000000000000002]",
        "a\" #5 daemon prio=5", "tab\there", "cr\rhere", "nl\nhere", "nul\0here", "esc\033[31mred",
        "\u00fcml\u00e4ut \u65e5\u672c\u8a9e \ud83d\ude00", "lone\ud800surrogate", "back\\slash %s %d", "[bracket] #9", "#12",
        "nid=0x99 waiting on condition", "tid=0x1", "prio=99", "cpu=9999.99ms elapsed=1.00s", "daemon",
        "Found one Java-level deadlock:", "x\n\nFull thread dump OpenJDK 64-Bit Server VM (21.0.1+1 mixed mode):\n\n", FORGED,
        repeat('x', 100), repeat('y', 3000), repeat('z', 70000),
    };

    public static void main(String[] args) throws Exception {
        Thread last = null;
        for (String name : NAMES) {
            last = Threads.start(name, () -> Threads.parkAt(2, () -> { }));
        }
        Threads.await(last, Thread.State.WAITING);
        Threads.ready();
        Thread.sleep(Long.MAX_VALUE);
    }

    private static String repeat(char c, int n) {
        char[] chars = new char[n];
        Arrays.fill(chars, c);
        return new String(chars);
    }
}
