import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;

/** Stories under embargo: desks hold them until the lift, then hand them to the wire. */
public class DeskLift {

    static class Embargo {
        private final String topic;
        private boolean lifted;

        Embargo(String topic) {
            this.topic = topic;
        }

        synchronized void awaitLift() throws InterruptedException {
            while (!lifted) {
                wait();
            }
        }

        synchronized void lift() {
            lifted = true;
            notify();
        }
    }

    static class Wire {
        private final LinkedList<String> outgoing = new LinkedList<String>();
        private int sent;

        synchronized void offer(String story) {
            outgoing.add(story);
            notifyAll();
        }

        synchronized boolean sendNext(long millis) throws InterruptedException {
            if (outgoing.isEmpty()) {
                wait(millis);
            }
            if (outgoing.isEmpty()) {
                return false;
            }
            outgoing.removeFirst();
            sent++;
            return true;
        }

        synchronized int sent() {
            return sent;
        }
    }

    static class DeskThread extends Thread {
        private final Embargo embargo;
        private final Wire wire;

        DeskThread(String desk, Embargo embargo, Wire wire) {
            super("desk-" + desk);
            this.embargo = embargo;
            this.wire = wire;
        }

        @Override
        public void run() {
            try {
                embargo.awaitLift();
                wire.offer(getName() + ": " + embargo.topic);
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    static class WireSender extends Thread {
        private final Wire wire;

        WireSender(Wire wire) {
            super("wire-sender");
            this.wire = wire;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    wire.sendNext(400);
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    static class Registrar extends Thread {
        private final Embargo embargo;

        Registrar(Embargo embargo) {
            super("embargo-registrar");
            this.embargo = embargo;
        }

        @Override
        public void run() {
            embargo.lift();
            while (true) {
                try {
                    Thread.sleep(600);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Embargo embargo = new Embargo("budget");
        Wire wire = new Wire();
        new WireSender(wire).start();
        List<DeskThread> desks = new ArrayList<DeskThread>();
        String[] names = {"politics", "economy", "regions", "foreign"};
        for (String name : names) {
            DeskThread d = new DeskThread(name, embargo, wire);
            desks.add(d);
            d.start();
        }
        for (DeskThread d : desks) {
            while (d.getState() != Thread.State.WAITING) {
                Thread.sleep(20);
            }
        }
        new Registrar(embargo).start();
        while (wire.sent() < 1) {
            Thread.sleep(50);
        }
        Thread.sleep(500);
        System.out.println("READY");
        System.out.flush();
    }
}
