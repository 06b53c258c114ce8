import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

/** Playback sessions of the streaming platform; one loop applies all session commands in order. */
public class Playout {

    static final class SessionLoop implements Runnable {
        private final BlockingQueue<Runnable> commands = new LinkedBlockingQueue<>();

        <T> CompletableFuture<T> ask(Callable<T> command) {
            CompletableFuture<T> reply = new CompletableFuture<>();
            commands.add(() -> {
                try {
                    reply.complete(command.call());
                } catch (Exception e) {
                    reply.completeExceptionally(e);
                }
            });
            return reply;
        }

        @Override
        public void run() {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    commands.take().run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        int pending() {
            return commands.size();
        }
    }

    record Session(String viewer, String asset, String device) {}

    static final class DeviceRegistry {
        private final SessionLoop loop;
        private final Map<String, Set<String>> devices = new HashMap<>();

        DeviceRegistry(SessionLoop loop) {
            this.loop = loop;
        }

        int register(String viewer, String device) {
            CompletableFuture<Integer> count = loop.ask(() -> {
                Set<String> known = devices.computeIfAbsent(viewer, v -> new HashSet<>());
                known.add(device);
                return known.size();
            });
            return count.join();
        }
    }

    static final class SessionService {
        private final SessionLoop loop;
        private final DeviceRegistry registry;
        private final Map<String, Session> sessions = new HashMap<>();
        private final AtomicInteger beats = new AtomicInteger();

        SessionService(SessionLoop loop, DeviceRegistry registry) {
            this.loop = loop;
            this.registry = registry;
        }

        CompletableFuture<Session> open(String viewer, String asset, String device) {
            return loop.ask(() -> create(viewer, asset, device));
        }

        CompletableFuture<Integer> heartbeat(String viewer) {
            return loop.ask(() -> sessions.containsKey(viewer) ? beats.incrementAndGet() : beats.get());
        }

        private Session create(String viewer, String asset, String device) {
            Session known = sessions.get(viewer);
            if (known != null && !known.device().equals(device)) {
                switchDevice(known, device);
            }
            Session s = new Session(viewer, asset, device);
            sessions.put(viewer, s);
            return s;
        }

        private void switchDevice(Session old, String device) {
            if (registry.register(old.viewer(), device) > 3) {
                throw new IllegalStateException("too many devices");
            }
        }
    }

    public static void main(String[] args) throws Exception {
        SessionLoop loop = new SessionLoop();
        new Thread(loop, "session-loop").start();
        SessionService service = new SessionService(loop, new DeviceRegistry(loop));
        service.open("anna", "film-1", "tv").get();
        for (int i = 0; i < 20; i++) {
            service.open("viewer" + i, "film-" + i, "phone").get();
        }
        List<Thread> edges = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int no = i;
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        service.heartbeat("viewer" + no).get();
                        Thread.sleep(40);
                    }
                } catch (InterruptedException | ExecutionException e) {
                    Thread.currentThread().interrupt();
                }
            }, "edge-http-" + i);
            edges.add(t);
            t.start();
        }
        Thread.sleep(300);
        service.open("anna", "film-1", "tablet");
        while (loop.pending() < 5) {
            Thread.sleep(30);
        }
        Thread.sleep(300);
        System.out.println("READY");
        System.out.flush();
        for (Thread t : edges) {
            t.join();
        }
    }
}
