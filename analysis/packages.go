package analysis

// jdkPackages are the packages of the JDK, for dumps that print no module (JDK 8,
// and the class path of later ones).
var jdkPackages = [...]string{"java.", "javax.", "jdk.", "sun.", "com.sun."}

// generatedParts are what generated classes carry in their names.
var generatedParts = [...]string{
	"$$Lambda",                      // JDK lambda proxies: W$$Lambda$1/0x…
	"$Proxy",                        // java.lang.reflect.Proxy: $Proxy12, jdk.proxy2.$Proxy7
	"LambdaForm$",                   // java.lang.invoke
	"$$EnhancerBy", "$$FastClassBy", // CGLIB
	"$$SpringCGLIB$$",    // Spring 6
	"$HibernateProxy",    // Hibernate
	"$ByteBuddy$",        // Byte Buddy
	"$MockitoMock$",      // Mockito
	"GeneratedMethod",    // JDK reflection accessors up to 17
	"GeneratedConstruct", // the same for constructors
	"_$$_jvst",           // Javassist
	"$$$view",            // EJB views
}

// frameworkPackages are libraries that call applications or are called by them;
// a frame of theirs is where a thread stands, seldom why. Sorted by name.
var frameworkPackages = [...]string{
	"akka.",
	"brave.",
	"ch.qos.logback.",
	"clojure.",
	"com.amazonaws.",
	"com.codahale.metrics.",
	"com.datastax.",
	"com.fasterxml.",
	"com.github.benmanes.caffeine.",
	"com.google.common.",
	"com.google.gson.",
	"com.google.inject.",
	"com.google.protobuf.",
	"com.hazelcast.",
	"com.ibm.db2.",
	"com.lmax.disruptor.",
	"com.mchange.v2.",
	"com.microsoft.sqlserver.",
	"com.mongodb.",
	"com.mysql.",
	"com.rabbitmq.",
	"com.squareup.",
	"com.zaxxer.hikari.",
	"feign.",
	"groovy.",
	"io.dropwizard.",
	"io.grpc.",
	"io.helidon.",
	"io.lettuce.",
	"io.micrometer.",
	"io.micronaut.",
	"io.netty.",
	"io.opentelemetry.",
	"io.quarkus.",
	"io.reactivex.",
	"io.smallrye.",
	"io.undertow.",
	"io.vertx.",
	"jakarta.",
	"kotlin.",
	"kotlinx.",
	"net.bytebuddy.",
	"net.sf.cglib.",
	"okhttp3.",
	"okio.",
	"oracle.jdbc.",
	"oracle.net.",
	"oracle.ucp.",
	"org.apache.activemq.",
	"org.apache.camel.",
	"org.apache.catalina.",
	"org.apache.commons.",
	"org.apache.coyote.",
	"org.apache.cxf.",
	"org.apache.dubbo.",
	"org.apache.hc.",
	"org.apache.http.",
	"org.apache.kafka.",
	"org.apache.log4j.",
	"org.apache.logging.",
	"org.apache.pekko.",
	"org.apache.tomcat.",
	"org.codehaus.groovy.",
	"org.eclipse.jetty.",
	"org.glassfish.",
	"org.gradle.",
	"org.h2.",
	"org.hibernate.",
	"org.hsqldb.",
	"org.infinispan.",
	"org.jboss.",
	"org.jgroups.",
	"org.junit.",
	"org.mariadb.",
	"org.mongodb.",
	"org.mybatis.",
	"org.postgresql.",
	"org.quartz.",
	"org.redisson.",
	"org.scalatest.",
	"org.slf4j.",
	"org.springframework.",
	"org.testng.",
	"org.wildfly.",
	"org.xnio.",
	"play.api.",
	"play.core.",
	"reactor.",
	"redis.clients.",
	"retrofit2.",
	"rx.",
	"scala.",
	"software.amazon.awssdk.",
	"zio.",
}
