package com.acme.quotefeed;

import com.acme.ops.Service;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.string.StringDecoder;
import io.netty.handler.codec.string.StringEncoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A Netty server whose handlers leave their work to virtual threads. fault: a handler waits on its event loop for the virtual
 * thread, which waits until its answer is written; only that event loop writes. load: clients ask all the time, and the handlers
 * do not wait.
 */
public class QuoteFeed {
    private static final ExecutorService WORK =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("quote-", 0).factory());
    private static final AtomicLong ASKED = new AtomicLong();

    static class QuoteHandler extends SimpleChannelInboundHandler<String> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, String line) throws Exception {
            Future<?> answer = WORK.submit(() -> {
                if (line.startsWith("sync")) {
                    sendAndAwait(context, line);
                } else {
                    context.writeAndFlush(line + "\n");
                }
                return null;
            });
            if (line.startsWith("sync")) {
                awaitAnswer(answer);
            }
        }

        private void awaitAnswer(Future<?> answer) throws Exception {
            ASKED.incrementAndGet();
            answer.get();
        }

        private void sendAndAwait(ChannelHandlerContext context, String line) throws InterruptedException {
            context.writeAndFlush(line + "\n").await();
        }
    }

    static class Pipeline extends ChannelInitializer<SocketChannel> {
        @Override
        protected void initChannel(SocketChannel channel) {
            channel.pipeline().addLast(new LineBasedFrameDecoder(100), new StringDecoder(), new StringEncoder(),
                    new QuoteHandler());
        }
    }

    private static Socket connect(Channel server) throws Exception {
        return new Socket(InetAddress.getLoopbackAddress(), ((InetSocketAddress) server.localAddress()).getPort());
    }

    private static void ask(Socket socket, String line) throws Exception {
        socket.getOutputStream().write((line + "\n").getBytes());
    }

    private static void askForever(Channel server) {
        try (Socket socket = connect(server)) {
            while (true) {
                ask(socket, "ACME");
                socket.getInputStream().readNBytes(5);
                ASKED.incrementAndGet();
                Thread.sleep(20);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Channel server = new ServerBootstrap()
                .group(new NioEventLoopGroup(1), new NioEventLoopGroup(2))
                .channel(NioServerSocketChannel.class)
                .childHandler(new Pipeline())
                .bind("127.0.0.1", 0).sync().channel();
        Socket client = connect(server);
        ask(client, "ACME");
        client.getInputStream().readNBytes(5);
        switch (args[0]) {
            case "fault" -> {
                ask(client, "sync ACME");
                Service.await(() -> ASKED.get() == 1);
                Thread.sleep(500);
            }
            case "load" -> {
                for (int i = 0; i < 4; i++) {
                    Thread.ofVirtual().name("quote-client-" + i).start(() -> askForever(server));
                }
                Service.await(() -> ASKED.get() > 100);
            }
            default -> Thread.sleep(200);
        }
        Service.ready();
        server.closeFuture().sync();
        client.close();
    }
}
