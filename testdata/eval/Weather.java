import java.util.stream.IntStream;

/** Bursts of parallel streams with pauses; the common pool is mostly idle. */
public class Weather {
    private static double forecast(int day) {
        return IntStream.range(0, 60_000).parallel().mapToDouble(i -> Math.sin(i + day) * Math.cos(i)).sum();
    }

    public static void main(String[] args) throws Exception {
        double sum = 0;
        for (int day = 0; !Double.isNaN(sum); day++) {
            sum += forecast(day);
            Thread.sleep(80);
            if (day == 10) {
                System.out.println("READY");
            }
        }
    }
}
