/**
 * NoPolls: the thread "orbiter" is in a counted loop for minutes. It holds up every safepoint if the loop has no polls:
 * -XX:-UseCountedLoopSafepoints -XX:LoopStripMiningIter=0 -XX:+IgnoreUnrecognizedVMOptions.
 */
final class NoPolls {
    static volatile double path;

    private static double orbit(int years) {
        double at = 0;
        for (int i = 0; i < years; i++) {
            at += Math.sin(i) * Math.cos(at);
        }
        return at;
    }

    public static void main(String[] args) throws Exception {
        Threads.start("orbiter", () -> {
            for (int i = 0; i < 2000; i++) {
                path += orbit(200);
            }
            for (int i = 0; i < 20; i++) {
                path += orbit(100_000);
            }
            Thread.sleep(300); // until it is compiled
            Threads.ready();
            path += orbit(Integer.MAX_VALUE);
        });
        Thread.sleep(Long.MAX_VALUE);
    }
}
