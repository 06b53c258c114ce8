/** A thread is suspended inside a monitor that it takes again and again; three others want it. */
public class Samovar {
    private static final Object TAP = new Object();
    private static volatile long cups;
    private static volatile boolean inside;

    private static void pour() {
        while (true) {
            synchronized (TAP) {
                inside = true;
                for (int i = 0; i < 1_000_000; i++) {
                    cups += i;
                }
                inside = false;
            }
        }
    }

    private static void sip() {
        while (true) {
            synchronized (TAP) {
                cups--;
            }
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread host = new Thread(Samovar::pour, "t-1");
        host.start();
        for (int i = 2; i <= 4; i++) {
            new Thread(Samovar::sip, "t-" + i).start();
        }
        Thread.sleep(500);
        Thread.class.getMethod("suspend").invoke(host);
        while (!inside) {
            Thread.class.getMethod("resume").invoke(host);
            Thread.sleep(10);
            Thread.class.getMethod("suspend").invoke(host);
        }
        Thread.sleep(300);
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }
}
