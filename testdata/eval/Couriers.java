import java.util.concurrent.CountDownLatch;

/** Two threads each wait in join for the other one to end. */
public class Couriers {
    static class Courier extends Thread {
        private final CountDownLatch go;
        private Courier partner;

        Courier(String name, CountDownLatch go) {
            super(name);
            this.go = go;
        }

        @Override
        public void run() {
            try {
                go.await();
                deliver();
            } catch (InterruptedException e) {
                interrupt();
            }
        }

        private void deliver() throws InterruptedException {
            partner.join();
        }
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Courier a = new Courier("t-1", go);
        Courier b = new Courier("t-2", go);
        a.partner = b;
        b.partner = a;
        a.start();
        b.start();
        go.countDown();
        Thread.sleep(400);
        System.out.println("READY");
    }
}
