/** One thread wants to compute, but four processes next to this one take the only core it may use. */
public class Ploughs {
    private static long furrow(long field) {
        long earth = field;
        while (earth != 0) {
            earth = turn(earth);
        }
        return earth;
    }

    private static long turn(long earth) {
        long mixed = earth;
        for (int i = 0; i < 3000; i++) {
            mixed = mixed * 6364136223846793005L + 1442695040888963407L;
        }
        return mixed | 1;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 4; i++) {
            new ProcessBuilder("sh", "-c", "while kill -0 $PPID; do :; done").start();
        }
        new Thread(() -> System.out.println(furrow(args.length + 1)), "t-1").start();
        Thread.sleep(800);
        System.out.println("READY");
    }
}
