/** Main joins three workers that work a little and sleep between jobs. */
public class Shift {
    private static double job(int size) {
        double sum = 0;
        for (int i = 1; i < size; i++) {
            sum += Math.log(i);
        }
        return sum;
    }

    private static void work(int size) {
        try {
            double done = 0;
            while (done >= 0) {
                done += job(size);
                Thread.sleep(40);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] team = new Thread[3];
        for (int i = 0; i < team.length; i++) {
            int size = 10_000 * (i + 1);
            team[i] = new Thread(() -> work(size), "t-" + (i + 1));
            team[i].start();
        }
        Thread.sleep(400);
        System.out.println("READY");
        for (Thread t : team) {
            t.join();
        }
    }
}
