import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Asks a slow site for a page, asynchronously, and joins the answer, that comes within a minute. */
public class PageFetch {
    private static void site(ServerSocket socket) {
        try (Socket s = socket.accept()) {
            int read = s.getInputStream().read(new byte[9000]);
            Thread.sleep(60_000);
            s.getOutputStream().write(("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" + (10 + read % 90)).getBytes());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void ask(int port) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/")).build();
        HttpResponse<String> page = HttpClient.newHttpClient().sendAsync(request, HttpResponse.BodyHandlers.ofString()).join();
        System.out.println(page.body());
    }

    public static void main(String[] args) throws Exception {
        ServerSocket socket = new ServerSocket(0);
        new Thread(() -> site(socket), "t-1").start();
        new Thread(() -> ask(socket.getLocalPort()), "t-2").start();
        Thread.sleep(700);
        System.out.println("READY");
        Thread.currentThread().join();
    }
}
