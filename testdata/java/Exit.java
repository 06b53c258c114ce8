/** Exit [MS=1000 [CODE=0]]: ends MS after READY. */
final class Exit {
    public static void main(String[] args) throws Exception {
        Threads.ready();
        Thread.sleep(Threads.argument(args, 0, 1000));
        System.exit(Threads.argument(args, 1, 0));
    }
}
