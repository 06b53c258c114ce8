/** A notification is given before anyone waits for it, and nobody gives another one. */
public class Doorbell {
    static class Porch {
        void ring() {
            synchronized (this) {
                notifyAll();
            }
        }

        void listen() throws InterruptedException {
            synchronized (this) {
                wait();
            }
        }
    }

    static void host(Porch porch) {
        try {
            porch.listen();
            System.out.println("welcome");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Porch porch = new Porch();
        Thread guest = new Thread(porch::ring, "t-1");
        guest.start();
        guest.join();
        Thread host = new Thread(() -> host(porch), "t-2");
        host.start();
        Thread.sleep(300);
        System.out.println("READY");
        host.join();
    }
}
