import java.util.concurrent.Exchanger;

public class Coracle {
    static class Bank extends Thread {
        final Exchanger<String> boat;
        final int loads;

        Bank(String name, Exchanger<String> boat, int loads) {
            super(name);
            this.boat = boat;
            this.loads = loads;
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < loads; i++) cross("load " + i);
            } catch (InterruptedException e) {
                interrupt();
            }
        }

        void cross(String load) throws InterruptedException {
            boat.exchange(load);
        }
    }

    public static void main(String[] args) {
        Exchanger<String> boat = new Exchanger<>();
        new Bank("t-1", boat, 41).start();
        new Bank("t-2", boat, 40).start();
        System.out.println("READY");
    }
}
