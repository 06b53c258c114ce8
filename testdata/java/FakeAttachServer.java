import java.lang.management.ManagementFactory;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.Paths;

/**
 * FakeAttachServer HOW: listens in place of the JVM's own attach listener (16 and newer) and misbehaves: "silent" never
 * answers, "endless" never ends, "closes" does at once, "slowly TEXT" sends a byte each second, any other word is the
 * answer, in which \n is a line feed.
 */
final class FakeAttachServer {
    public static void main(String[] args) throws Exception {
        Path path = Paths.get("/tmp/.java_pid" + ManagementFactory.getRuntimeMXBean().getName().split("@")[0]);
        ServerSocketChannel server = (ServerSocketChannel) ServerSocketChannel.class
            .getMethod("open", ProtocolFamily.class).invoke(null, StandardProtocolFamily.valueOf("UNIX"));
        server.bind((SocketAddress) Class.forName("java.net.UnixDomainSocketAddress")
            .getMethod("of", Path.class).invoke(null, path));
        path.toFile().setReadable(false, false);
        path.toFile().deleteOnExit();
        Threads.ready();
        while (true) {
            try (SocketChannel client = server.accept()) {
                answer(client, args);
            } catch (java.io.IOException e) {
                // the client has gone
            }
        }
    }

    private static void answer(SocketChannel client, String[] args) throws Exception {
        if (args[0].equals("closes")) {
            return;
        }
        client.read(ByteBuffer.allocate(4096));
        switch (args[0]) {
            case "silent":
                client.read(ByteBuffer.allocate(1));
                return;
            case "endless":
                client.write(ByteBuffer.wrap("0\n".getBytes(StandardCharsets.UTF_8)));
                for (ByteBuffer much = ByteBuffer.allocateDirect(1 << 20); true; much.clear()) {
                    client.write(much);
                }
            case "slowly":
                for (byte b : bytes(args[1])) {
                    client.write(ByteBuffer.wrap(new byte[] {b}));
                    Thread.sleep(1000);
                }
                return;
            default:
                client.write(ByteBuffer.wrap(bytes(args[0])));
        }
    }

    private static byte[] bytes(String text) {
        return text.replace("\\n", "\n").getBytes(StandardCharsets.UTF_8);
    }
}
