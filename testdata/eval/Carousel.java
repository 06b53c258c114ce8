import java.util.concurrent.CountDownLatch;

/** Three threads each hold one seat's monitor and want the next one's: a cycle of three. */
public class Carousel {
    static class Seat {
        private final int number;
        private Seat next;
        private int visits;

        Seat(int number) {
            this.number = number;
        }

        void turn(CountDownLatch step) {
            synchronized (this) {
                step.countDown();
                try {
                    step.await();
                } catch (InterruptedException e) {
                    return;
                }
                next.visit();
            }
        }

        void visit() {
            synchronized (this) {
                visits++;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Seat[] seats = new Seat[3];
        for (int i = 0; i < seats.length; i++) {
            seats[i] = new Seat(i);
        }
        CountDownLatch step = new CountDownLatch(seats.length);
        for (int i = 0; i < seats.length; i++) {
            Seat seat = seats[i];
            seat.next = seats[(i + 1) % seats.length];
            new Thread(() -> seat.turn(step), "h" + (seat.number + 1)).start();
        }
        step.await();
        Thread.sleep(300);
        for (int i = 4; i < 7; i++) {
            Seat seat = seats[i % 3];
            new Thread(seat::visit, "h" + i).start();
        }
        Thread.sleep(200);
        System.out.println("READY");
    }
}
