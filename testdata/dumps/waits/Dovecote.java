import java.util.regex.Pattern;

/** Clerks check the rings of pigeons, one at a time, with a regular expression that tries all ways to split a text. */
public class Dovecote {
    private static final Pattern RING = Pattern.compile("([a-z]+)+\\d");

    private synchronized boolean isRing(String text) {
        return RING.matcher(text).matches();
    }

    void clerk() {
        isRing("pigeonsflyhomeinthedarkwithoutalamporamap");
    }

    public static void main(String[] args) {
        Dovecote d = new Dovecote();
        for (int i = 0; i < 3; i++) {
            new Thread(d::clerk, "clerk-" + i).start();
        }
    }
}
