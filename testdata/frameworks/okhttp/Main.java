import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** OkHttp. The fault: the callbacks put what they got into a queue that is full and that nobody empties. */
public class Main {
    static class Results implements Callback {
        private final BlockingQueue<String> lines;

        Results(int room) {
            lines = new ArrayBlockingQueue<>(room);
        }

        @Override
        public void onFailure(Call call, IOException e) {
            add(e.toString());
        }

        @Override
        public void onResponse(Call call, Response response) throws IOException {
            try (response) {
                add(response.body().string());
            }
        }

        private void add(String line) {
            try {
                lines.put(line);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 50);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
            exchange.close();
        });
        server.setExecutor(Executors.newFixedThreadPool(2));
        server.start();
        OkHttpClient client = new OkHttpClient();
        Request request = new Request.Builder().url("http://127.0.0.1:" + server.getAddress().getPort() + "/list").build();
        client.newCall(request).execute().close();
        Results results = new Results(args[0].equals("fault") ? 2 : 100);
        for (int i = 0; i < 12; i++) {
            client.newCall(request).enqueue(results);
        }
        Thread.sleep(1500);
        System.out.println("READY");
        Thread.currentThread().join();
    }
}
