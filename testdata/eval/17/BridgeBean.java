import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import javax.management.ObjectName;

/** A keeper waits until somebody opens the bridge by JMX. */
public class BridgeBean {
    /** What a console sees of the bridge. */
    public interface BridgeMBean {
        void open();
    }

    /** The bridge. */
    public static class Bridge implements BridgeMBean {
        private final CountDownLatch opened = new CountDownLatch(1);

        @Override
        public void open() {
            opened.countDown();
        }

        void pass() {
            try {
                opened.await();
                raise(3);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void raise(int metres) {
            System.out.println("raised by " + Math.max(1, metres));
        }
    }

    private static void keep(Bridge bridge) {
        bridge.pass();
    }

    public static void main(String[] args) throws Exception {
        Bridge bridge = new Bridge();
        ManagementFactory.getPlatformMBeanServer().registerMBean(bridge, new ObjectName("harbour:type=Bridge"));
        new Thread(() -> keep(bridge), "t-1").start();
        Thread.sleep(500);
        System.out.println("READY");
        Thread.currentThread().join();
    }
}
