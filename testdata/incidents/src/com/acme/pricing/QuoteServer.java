package com.acme.pricing;

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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Prices over gRPC. A quote needs a discount, which is a call of the same server since two services were merged. */
public class QuoteServer {
    private static final MethodDescriptor<String, String> QUOTE = method("acme.Pricing/Quote");
    private static final MethodDescriptor<String, String> DISCOUNT = method("acme.Pricing/Discount");

    private final AtomicInteger begun = new AtomicInteger();
    private ManagedChannel channel;

    private void quote(String sku, StreamObserver<String> answer) {
        begun.incrementAndGet();
        String discount = ClientCalls.blockingUnaryCall(channel, DISCOUNT, CallOptions.DEFAULT, sku);
        answer.onNext("49.90 less " + discount);
        answer.onCompleted();
    }

    private void discount(String sku, StreamObserver<String> answer) {
        answer.onNext("5 %");
        answer.onCompleted();
    }

    private Server start() throws IOException {
        AtomicInteger number = new AtomicInteger();
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .executor(Executors.newFixedThreadPool(6, task -> new Thread(task, "pricing-rpc-" + number.incrementAndGet())))
                .addService(ServerServiceDefinition.builder("acme.Pricing")
                        .addMethod(QUOTE, ServerCalls.asyncUnaryCall(this::quote))
                        .addMethod(DISCOUNT, ServerCalls.asyncUnaryCall(this::discount))
                        .build())
                .build().start();
        channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext().build();
        return server;
    }

    public static void main(String[] args) throws Exception {
        QuoteServer pricing = new QuoteServer();
        Server server = pricing.start();
        ManagedChannel shop = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext().build();
        ClientCalls.blockingUnaryCall(shop, QUOTE, CallOptions.DEFAULT, "sku-1");
        for (int i = 0; i < 40; i++) {
            ClientCalls.futureUnaryCall(shop.newCall(QUOTE, CallOptions.DEFAULT), "sku-" + i);
        }
        int before;
        do {
            before = pricing.begun.get();
            Thread.sleep(800);
        } while (pricing.begun.get() != before);
        System.out.println("READY");
        server.awaitTermination();
    }

    private static MethodDescriptor<String, String> method(String name) {
        return MethodDescriptor.newBuilder(new Text(), new Text())
                .setType(MethodDescriptor.MethodType.UNARY).setFullMethodName(name).build();
    }

    private static class Text implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
