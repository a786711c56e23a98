"""Moves messages through a broker, by AMQP.

    client.py URL publish EXCHANGE KEY COUNT [BYTES [PRIORITY [HEADER]]]
        publishes messages of so many bytes, with a header of so many more,
        mandatory, each confirmed before the next; prints "5 acked, 0 nacked, 0
        returned"
    client.py URL count QUEUE...      prints what is ready in each; "gone" when
                                      there is no such queue
    client.py URL take QUEUE COUNT    takes up to so many; prints each as JSON
    client.py URL retry QUEUE EXCHANGE KEY   hands the first message over as the
                                      framework does: a new publish, confirmed,
                                      then ack
    client.py URL work QUEUE EXCHANGE KEY COUNT   consumes, hands the first over,
                                      acks the rest; prints so many sizes as
                                      they are delivered
    client.py URL hold QUEUE SECONDS   handles the first message for so long
    client.py URL see QUEUE TIMES HOW   looks at the first message over and
                                      over; prints how often it could
    client.py URL await QUEUE COUNT SECONDS   waits until so many or more
                                      are ready; prints how long, or "never"
    client.py URL gaps QUEUE TIMES HOW   consumes, and puts the first message back
                                      each time; prints how many whole seconds
                                      it stayed away
    client.py URL visit QUEUE         consumes for a moment, and goes away

HOW a look ends: reject or nack, with requeue; recover; channel or connection,
which are closed; drop, a reject without requeue.
"""

import json
import sys
import time

import pika
from pika import exceptions

PATIENCE = 5  # seconds that a message may take to be there again


class Client:
    def __init__(self, url):
        self.parameters = pika.URLParameters(url)
        self.connect()

    def connect(self):
        self.connection = pika.BlockingConnection(self.parameters)
        self.channel = self.connection.channel()

    def send(self, exchange, key, body, properties=None):
        try:
            self.channel.basic_publish(exchange, key, body, properties,
                                       mandatory=True)
        except exceptions.NackError:
            return 'nacked'
        except exceptions.UnroutableError:
            return 'returned'
        return 'acked'

    def publish(self, exchange, key, count, size='1', priority=None, header='0'):
        self.channel.confirm_delivery()
        properties = pika.BasicProperties(
            delivery_mode=2, priority=int(priority) if priority else None,
            headers={'more': 'x' * int(header)} if int(header) else None)
        results = [self.send(exchange, key, b'x' * int(size), properties)
                   for _ in range(int(count))]
        print(', '.join(f'{results.count(result)} {result}'
                        for result in ('acked', 'nacked', 'returned')))

    def count(self, *queues):
        print(*map(self.ready, queues))

    def ready(self, queue):
        try:
            answer = self.channel.queue_declare(queue, passive=True)
        except exceptions.ChannelClosedByBroker as closed:
            if closed.reply_code != 404:
                raise
            self.channel = self.connection.channel()
            return 'gone'
        return answer.method.message_count

    def get(self, queue, patience=PATIENCE):
        deadline = time.monotonic() + patience
        while True:
            method, properties, body = self.channel.basic_get(queue)
            if method:
                return method, properties, body
            if time.monotonic() > deadline:
                return None
            time.sleep(0.02)

    def take(self, queue, count):
        for _ in range(int(count)):
            message = self.get(queue, 0)
            if not message:
                return
            method, properties, body = message
            self.channel.basic_ack(method.delivery_tag)
            print(json.dumps({'bytes': len(body),
                              'priority': properties.priority,
                              'headers': properties.headers or {}},
                             default=str))

    def retry(self, queue, exchange, key):
        self.channel.confirm_delivery()
        print(self.hand_over(self.get(queue), exchange, key))

    def hand_over(self, message, exchange, key):
        method, properties, body = message
        result = self.send(exchange, key, body, properties)
        if result == 'acked':
            self.channel.basic_ack(method.delivery_tag)
        else:
            self.channel.basic_nack(method.delivery_tag)
        return result

    def work(self, queue, exchange, key, count):
        self.channel.confirm_delivery()
        sizes = []
        for message in self.channel.consume(queue, inactivity_timeout=PATIENCE):
            if message[0] is None:
                break
            if not sizes:
                self.hand_over(message, exchange, key)
            else:
                self.channel.basic_ack(message[0].delivery_tag)
            sizes.append(len(message[2]))
            if len(sizes) == int(count):
                break
        print(*sizes)

    def hold(self, queue, seconds):
        method = self.get(queue)[0]
        self.connection.sleep(float(seconds))
        self.channel.basic_ack(method.delivery_tag)
        print('acked')

    def see(self, queue, times, how):
        seen = 0
        while seen < int(times):
            message = self.get(queue)
            if not message:
                break
            seen += 1
            self.end_look(how, message[0].delivery_tag)
        print(seen)

    def end_look(self, how, tag):
        if how == 'reject':
            self.channel.basic_reject(tag)
        elif how == 'drop':
            self.channel.basic_reject(tag, requeue=False)
        elif how == 'nack':
            self.channel.basic_nack(tag)
        elif how == 'recover':
            self.channel.basic_recover(requeue=True)
        elif how == 'channel':
            self.channel.close()
            self.channel = self.connection.channel()
        elif how == 'connection':
            self.connection.close()
            self.connect()
        else:
            raise ValueError(how)

    def gaps(self, queue, times, how):
        gaps = []
        ended = None
        for method, _, _ in self.channel.consume(queue, inactivity_timeout=2 * PATIENCE):
            if method is None:
                break
            if ended:
                gaps.append(int(time.monotonic() - ended))
            if len(gaps) == int(times):
                break
            ended = time.monotonic()
            self.end_look(how, method.delivery_tag)
        print(*gaps)

    def await_(self, queue, count, seconds):
        start = time.monotonic()
        while self.ready(queue) < int(count):
            if time.monotonic() - start > float(seconds):
                print('never')
                return
            self.connection.sleep(0.5)
        print(f'{time.monotonic() - start:.1f}')

    def visit(self, queue):
        tag = self.channel.basic_consume(queue, lambda *_: None)
        self.channel.basic_cancel(tag)


def main():
    client = Client(sys.argv[1])
    verb = 'await_' if sys.argv[2] == 'await' else sys.argv[2]
    getattr(client, verb)(*sys.argv[3:])
    if client.connection.is_open:
        client.connection.close()


main()
