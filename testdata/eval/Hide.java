import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;

/** Watches a directory in which nothing happens. */
public class Hide {
    private static void watch(WatchService eyes) {
        try {
            WatchKey key = eyes.take();
            while (key.reset()) {
                System.out.println(key.pollEvents().size());
                key = eyes.take();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        WatchService eyes = FileSystems.getDefault().newWatchService();
        Path reeds = Paths.get(System.getProperty("java.home"));
        reeds.register(eyes, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
        Thread watcher = new Thread(() -> watch(eyes), "t-1");
        watcher.setDaemon(true);
        watcher.start();
        Thread.sleep(300);
        System.out.println("READY");
        Thread.currentThread().join();
    }
}
