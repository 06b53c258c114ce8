/** Two legs of a voyage, each of which waits for the other to end; what they run is inherited. */
public class Towpath {
    abstract static class Leg extends Thread {
        Leg other;
        int miles;

        Leg(String name) {
            super(name);
        }

        @Override
        public void run() {
            while (!other.isAlive()) { // nobody waits for the end of a thread that was not started
                Thread.yield();
            }
            while (miles < 40) {
                tow();
            }
            finish();
        }

        abstract void tow();

        private void finish() {
            try {
                other.join();
            } catch (InterruptedException e) {
                return;
            }
            System.out.println(getName() + " after " + miles);
        }
    }

    static class Upstream extends Leg {
        Upstream() {
            super("t-1");
        }

        @Override
        void tow() {
            miles++;
        }
    }

    static class Downstream extends Leg {
        Downstream() {
            super("t-2");
        }

        @Override
        void tow() {
            miles += 2;
        }
    }

    public static void main(String[] args) throws Exception {
        Leg up = new Upstream();
        Leg down = new Downstream();
        up.other = down;
        down.other = up;
        up.start();
        down.start();
        Thread.sleep(300);
        System.out.println("READY");
        up.join();
    }
}
