import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.string.StringDecoder;
import io.netty.handler.codec.string.StringEncoder;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/** Netty 4.2 over epoll. The fault: both event loops want a lock whose owner sleeps. */
public class Main {
    static class Ledger {
        private final ReentrantLock lock = new ReentrantLock();
        private final CountDownLatch begun = new CountDownLatch(1);
        private int entries;

        int add() {
            lock.lock();
            try {
                return ++entries;
            } finally {
                lock.unlock();
            }
        }

        void rebuild() {
            lock.lock();
            try {
                begun.countDown();
                Thread.sleep(3_600_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                lock.unlock();
            }
        }
    }

    static class Counter extends SimpleChannelInboundHandler<String> {
        private final Ledger ledger;

        Counter(Ledger ledger) {
            this.ledger = ledger;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, String line) {
            context.writeAndFlush(ledger.add() + "\n");
        }
    }

    static class Pipeline extends ChannelInitializer<SocketChannel> {
        private final Ledger ledger = new Ledger();

        @Override
        protected void initChannel(SocketChannel channel) {
            channel.pipeline().addLast(new LineBasedFrameDecoder(100), new StringDecoder(), new StringEncoder(), new Counter(ledger));
        }
    }

    public static void main(String[] args) throws Exception {
        Pipeline pipeline = new Pipeline();
        new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()).next().submit(() -> { }).sync();
        Channel server = new ServerBootstrap()
                .group(new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory()),
                        new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory()))
                .channel(EpollServerSocketChannel.class)
                .childHandler(pipeline)
                .bind("127.0.0.1", 0).sync().channel();
        int port = ((InetSocketAddress) server.localAddress()).getPort();
        for (int i = 0; i < 4; i++) {
            Socket socket = Caller.line(port, "near\n");
            socket.getInputStream().readNBytes(2);
        }
        if (args[0].equals("fault")) {
            new Thread(pipeline.ledger::rebuild, "t-1").start();
            pipeline.ledger.begun.await();
            for (int i = 0; i < 4; i++) {
                Caller.line(port, "near\n");
            }
            Thread.sleep(500);
        }
        System.out.println("READY");
        server.closeFuture().sync();
    }
}
