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
import java.net.InetSocketAddress;
import java.net.Socket;

/** Netty 4.1 over NIO. The fault: a handler sleeps on its event loop. */
public class Main {
    static class Echo extends SimpleChannelInboundHandler<String> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, String line) throws Exception {
            if (line.startsWith("far")) {
                lookUp();
            }
            context.writeAndFlush(line + "\n");
        }

        private void lookUp() throws InterruptedException {
            Thread.sleep(3_600_000);
        }
    }

    static class Pipeline extends ChannelInitializer<SocketChannel> {
        @Override
        protected void initChannel(SocketChannel channel) {
            channel.pipeline().addLast(new LineBasedFrameDecoder(100), new StringDecoder(), new StringEncoder(), new Echo());
        }
    }

    public static void main(String[] args) throws Exception {
        Channel server = new ServerBootstrap()
                .group(new NioEventLoopGroup(1), new NioEventLoopGroup(2))
                .channel(NioServerSocketChannel.class)
                .childHandler(new Pipeline())
                .bind("127.0.0.1", 0).sync().channel();
        int port = ((InetSocketAddress) server.localAddress()).getPort();
        for (int i = 0; i < 4; i++) {
            Socket socket = Caller.line(port, "near\n");
            socket.getInputStream().readNBytes(5);
        }
        if (args[0].equals("fault")) {
            Caller.line(port, "far\n");
            Thread.sleep(500);
        }
        System.out.println("READY");
        server.closeFuture().sync();
    }
}
