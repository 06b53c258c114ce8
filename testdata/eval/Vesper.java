/** A worker calls System.exit, and the shutdown hook joins that worker. */
public class Vesper {
    private final Thread ringer = new Thread(this::ring, "t-1");

    private void ring() {
        try {
            Thread.sleep(200);
        } catch (InterruptedException e) {
            return;
        }
        leave(3);
    }

    private void leave(int code) {
        System.exit(code);
    }

    private void silence() {
        System.out.println("READY");
        try {
            ringer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Vesper vesper = new Vesper();
        Runtime.getRuntime().addShutdownHook(new Thread(vesper::silence, "h-1"));
        vesper.ringer.start();
        vesper.ringer.join();
    }
}
