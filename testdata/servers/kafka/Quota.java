import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.server.quota.ClientQuotaCallback;
import org.apache.kafka.server.quota.ClientQuotaEntity;
import org.apache.kafka.server.quota.ClientQuotaType;

/** A plug-in of the broker whose answer to producers never comes. */
public final class Quota implements ClientQuotaCallback {
    @Override
    public Map<String, String> quotaMetricTags(ClientQuotaType type, KafkaPrincipal principal, String clientId) {
        return type == ClientQuotaType.PRODUCE ? lookUp() : Map.of();
    }

    private Map<String, String> lookUp() {
        return new CompletableFuture<Map<String, String>>().join();
    }

    @Override
    public Double quotaLimit(ClientQuotaType type, Map<String, String> tags) {
        return null;
    }

    @Override
    public void updateQuota(ClientQuotaType type, ClientQuotaEntity entity, double value) {
    }

    @Override
    public void removeQuota(ClientQuotaType type, ClientQuotaEntity entity) {
    }

    @Override
    public boolean quotaResetRequired(ClientQuotaType type) {
        return false;
    }

    @Override
    public boolean updateClusterMetadata(Cluster cluster) {
        return false;
    }

    @Override
    public void close() {
    }

    @Override
    public void configure(Map<String, ?> settings) {
    }
}
