import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;

/** gRPC over its own Netty. The fault: every thread of the server's executor waits for a price that nobody brings. */
public class Main {
    static class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static class Quotes {
        private final CompletableFuture<byte[]> price = new CompletableFuture<>();

        void quote(byte[] request, StreamObserver<byte[]> response) {
            response.onNext(request[0] == 0 ? request : price.join());
            response.onCompleted();
        }
    }

    static final MethodDescriptor<byte[], byte[]> QUOTE = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("Quotes/quote")
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    public static void main(String[] args) throws Exception {
        Quotes quotes = new Quotes();
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .executor(Executors.newFixedThreadPool(4))
                .addService(ServerServiceDefinition.builder("Quotes")
                        .addMethod(QUOTE, ServerCalls.asyncUnaryCall(quotes::quote)).build())
                .build().start();
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext().build();
        for (int i = 0; i < 4; i++) {
            ClientCalls.blockingUnaryCall(channel, QUOTE, CallOptions.DEFAULT, new byte[] {0});
            ClientCalls.futureUnaryCall(channel.newCall(QUOTE, CallOptions.DEFAULT), new byte[] {0}).get();
        }
        if (args[0].equals("fault")) {
            for (int i = 0; i < 8; i++) {
                ClientCalls.futureUnaryCall(channel.newCall(QUOTE, CallOptions.DEFAULT), new byte[] {1});
            }
            Thread.sleep(1000);
        }
        System.out.println("READY");
        server.awaitTermination();
    }
}
