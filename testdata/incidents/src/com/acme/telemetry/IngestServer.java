package com.acme.telemetry;

import com.acme.net.Loopback;
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
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;

/** Receives lines "sensor=value" over TCP with Netty and hands them to a store that writes them in its own thread. */
public class IngestServer {
    private static class MeasurementHandler extends SimpleChannelInboundHandler<String> {
        private final MeasurementStore store;

        MeasurementHandler(MeasurementStore store) {
            this.store = store;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, String line) throws Exception {
            store.append(line);
        }
    }

    public static void main(String[] args) throws Exception {
        MeasurementStore store = new MeasurementStore();
        Channel server = new ServerBootstrap()
                .group(new NioEventLoopGroup(1, new DefaultThreadFactory("ingest-accept")),
                        new NioEventLoopGroup(2, new DefaultThreadFactory("ingest-io")))
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new LineBasedFrameDecoder(1_000), new StringDecoder(),
                                new MeasurementHandler(store));
                    }
                })
                .bind("127.0.0.1", 0).sync().channel();
        int port = ((InetSocketAddress) server.localAddress()).getPort();

        Loopback.text(port, lines(100) + "boiler-7=n/a\n");
        for (int i = 0; i < 4; i++) {
            Loopback.text(port, lines(1_000));
        }
        int before;
        do {
            before = store.accepted();
            Thread.sleep(500);
        } while (store.accepted() != before);
        System.out.println("READY");
        server.closeFuture().sync();
    }

    private static String lines(int count) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < count; i++) {
            lines.append("boiler-").append(i % 9).append('=').append(60 + i % 30).append('\n');
        }
        return lines.toString();
    }
}
