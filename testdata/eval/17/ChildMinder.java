/** Waits by a future for the end of a child that works for minutes. */
public class ChildMinder {
    private static void mind(Process child) {
        System.out.println("ended with " + child.onExit().join().exitValue());
    }

    public static void main(String[] args) throws Exception {
        Process child = new ProcessBuilder("sleep", "120").start();
        new Thread(() -> mind(child), "t-1").start();
        Thread.sleep(500);
        System.out.println("READY");
        Thread.currentThread().join();
    }
}
