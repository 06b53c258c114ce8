/** A child process writes more than a pipe holds, and its parent waits for its end before it reads. */
public class Funnel {
    private static int pour(String... command) throws Exception {
        Process child = new ProcessBuilder(command).start();
        int code = child.waitFor();
        child.getInputStream().close();
        return code;
    }

    public static void main(String[] args) throws Exception {
        System.out.println("READY");
        System.out.println(pour("head", "-c", "1000000", "/dev/zero"));
    }
}
