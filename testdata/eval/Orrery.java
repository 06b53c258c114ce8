/** Three threads of three classes, whose run method is inherited, join each other in a circle; main joins one of them. */
public class Orrery {
    abstract static class Body extends Thread {
        private Body other;

        Body(String name) {
            super(name);
        }

        @Override
        public void run() {
            try {
                Thread.sleep(300);
                rest();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private void rest() throws InterruptedException {
            other.join();
        }
    }

    static class Sun extends Body {
        Sun() {
            super("t-1");
        }
    }

    static class Earth extends Body {
        Earth() {
            super("t-2");
        }
    }

    static class Moon extends Body {
        Moon() {
            super("t-3");
        }
    }

    public static void main(String[] args) throws Exception {
        Body[] all = {new Sun(), new Moon(), new Earth()};
        for (int i = 0; i < all.length; i++) {
            all[i].other = all[(i + 1) % all.length];
        }
        for (Body body : all) {
            body.start();
        }
        Thread.sleep(800);
        System.out.println("READY");
        all[0].join();
    }
}
