/** Two threads do the same heavy computation side by side. */
public class Potters {
    private static double turn(int wheel) {
        double clay = wheel;
        for (long i = 1; i > 0; i++) {
            clay = shape(clay + i);
        }
        return clay;
    }

    private static double shape(double clay) {
        double sum = 0;
        for (int i = 1; i < 2000; i++) {
            sum += Math.sqrt(clay + i) * Math.cos(i);
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 1; i <= 2; i++) {
            int wheel = i;
            new Thread(() -> System.out.println(turn(wheel)), "t-" + i).start();
        }
        Thread.sleep(400);
        System.out.println("READY");
    }
}
