/** Enters a compiled counted loop without safepoint polls, so that the JVM cannot stop its threads for minutes. */
public class Comet {
    private static double orbit(int years) {
        double path = 0;
        for (int i = 0; i < years; i++) {
            path += Math.sin(i) * Math.cos(path);
        }
        return path;
    }

    public static void main(String[] args) throws Exception {
        double path = 0;
        for (int i = 0; i < 2000; i++) {
            path += orbit(200);
        }
        for (int i = 0; i < 20; i++) {
            path += orbit(100_000);
        }
        Thread.sleep(300);
        System.out.println("READY");
        System.out.println(path + orbit(Integer.MAX_VALUE));
    }
}
