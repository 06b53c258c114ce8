import java.util.regex.Pattern;

/** A pattern with nested repetition and a back reference is tried on a line that nearly matches. */
public class Herald {
    private static final Pattern CREST = Pattern.compile("^(([a-z]+)+-?)+\\2[0-9]$");

    private static boolean read(String scroll) {
        return CREST.matcher(scroll).matches();
    }

    private static void announce(String[] scrolls) {
        for (String scroll : scrolls) {
            System.out.println(scroll + read(scroll));
        }
    }

    public static void main(String[] args) throws Exception {
        String scroll = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
        new Thread(() -> announce(new String[] {scroll}), "t-1").start();
        Thread.sleep(400);
        System.out.println("READY");
    }
}
