package com.acme.mail;

import java.io.IOException;
import java.util.UUID;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;

/** A session with a mail relay, reduced to what the gateway uses of it. */
class SmtpSession {
    private String recipient;

    void recipient(String address) throws IOException {
        if (!address.contains("@")) {
            throw new IOException("501 5.1.3 bad recipient address syntax: " + address);
        }
        recipient = address;
    }

    String data(String message) throws IOException {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            throw new IOException("interrupted while sending to " + recipient, e);
        }
        return UUID.nameUUIDFromBytes((recipient + message).getBytes()).toString();
    }
}

class SmtpSessionFactory extends BasePooledObjectFactory<SmtpSession> {
    @Override
    public SmtpSession create() {
        return new SmtpSession();
    }

    @Override
    public PooledObject<SmtpSession> wrap(SmtpSession session) {
        return new DefaultPooledObject<>(session);
    }
}
