package com.acme.mail;

import java.io.IOException;
import org.apache.commons.pool2.ObjectPool;

/** Sends mails over pooled SMTP sessions. */
class MailGateway {
    private final ObjectPool<SmtpSession> sessions;

    MailGateway(ObjectPool<SmtpSession> sessions) {
        this.sessions = sessions;
    }

    /** Sends one mail and answers its identifier. */
    String send(String address, String subject) throws Exception {
        SmtpSession session = sessions.borrowObject();
        try {
            session.recipient(address);
            String id = session.data("Subject: " + subject);
            sessions.returnObject(session);
            return id;
        } catch (IOException e) {
            throw new IllegalStateException("mail to " + address + " not sent", e);
        }
    }
}
