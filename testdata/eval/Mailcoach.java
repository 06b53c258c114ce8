import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Three ask over one connection; the reader of the answers passes over those of a kind that it does not know, and who asked waits for ever. */
public class Mailcoach {
    private final Map<String, CompletableFuture<String>> open = new ConcurrentHashMap<>();
    private final BufferedReader in;
    private final PrintWriter out;

    Mailcoach(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
        out = new PrintWriter(socket.getOutputStream(), true);
    }

    String ask(String what) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        open.put(what, answer);
        synchronized (out) {
            out.println(what);
        }
        return answer.join();
    }

    void hear() {
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                if (words[0].equals("yes")) {
                    open.remove(words[1]).complete(words[0]);
                }
            }
        } catch (IOException e) {
            open.values().forEach(a -> a.completeExceptionally(e));
        }
    }

    static void answer(ServerSocket server) {
        try (Socket socket = server.accept()) {
            BufferedReader asked = new BufferedReader(new InputStreamReader(socket.getInputStream()));
            PrintWriter said = new PrintWriter(socket.getOutputStream(), true);
            for (String line = asked.readLine(); line != null; line = asked.readLine()) {
                said.println((line.endsWith("9") ? "later " : "yes ") + line);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread far = new Thread(() -> answer(server), "v");
        far.setDaemon(true);
        far.start();
        Mailcoach coach = new Mailcoach(server.getLocalPort());
        Thread ear = new Thread(coach::hear, "u");
        ear.setDaemon(true);
        ear.start();
        for (int i = 1; i <= 3; i++) {
            String who = "t-" + i;
            new Thread(() -> {
                for (int n = 0; ; n++) {
                    coach.ask(who + "-" + n);
                }
            }, who).start();
        }
        Thread.sleep(1000);
        System.out.println("READY");
    }
}
