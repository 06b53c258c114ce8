import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Callable;

/** One of two subtasks of a structured scope asks a peer that never answers. By reflection: its classes are a preview. */
public class Gannets {
    private static int dive(int port) throws IOException {
        try (Socket sea = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return sea.getInputStream().read();
        }
    }

    private static void feed(int port) throws Exception {
        Class<?> type = Class.forName("java.util.concurrent.StructuredTaskScope");
        Object scope = type.getMethod("open").invoke(null);
        type.getMethod("fork", Callable.class).invoke(scope, (Callable<Integer>) () -> dive(port));
        type.getMethod("fork", Callable.class).invoke(scope, (Callable<Integer>) () -> 1);
        type.getMethod("join").invoke(scope);
    }

    public static void main(String[] args) throws Exception {
        ServerSocket cliff = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        new Thread(() -> {
            try {
                feed(cliff.getLocalPort());
            } catch (Exception e) {
                e.printStackTrace();
            }
        }, "t-1").start();
        Thread.sleep(500);
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }
}
