import java.util.concurrent.locks.LockSupport;

/** A thread parks until a flag is set; the flag is set, but nobody unparks it. */
public class Sentry {
    private volatile boolean relieved;

    private void guard() {
        while (!relieved) {
            LockSupport.park(this);
        }
    }

    private void duty() {
        guard();
        System.out.println("at ease");
    }

    public static void main(String[] args) throws Exception {
        Sentry sentry = new Sentry();
        Thread post = new Thread(sentry::duty, "t-1");
        post.start();
        Thread.sleep(300);
        sentry.relieved = true;
        System.out.println("READY");
        post.join();
    }
}
