import jakarta.jms.Message;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;

/** Faults of a listener, and of a plug-in of the broker. */
final class Faults {
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private Faults() {
    }

    static void receive(Message message) {
        book();
    }

    private static void book() {
        try {
            NEVER.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a permit that nobody gives back. */
    static final class Audit implements ActiveMQServerPlugin {
        private final Semaphore writers = new Semaphore(0);

        @Override
        public void beforeSend(ServerSession session, Transaction tx, org.apache.activemq.artemis.api.core.Message message,
            boolean direct, boolean noAutoCreateQueue) {
            record();
        }

        private void record() {
            writers.acquireUninterruptibly();
        }
    }
}
